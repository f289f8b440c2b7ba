"""Alerts and dashboard: an alert is raised by its own trouble alone, and what they name stands where they look."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import yaml

from tests.deploy.files import ALERTS, DEPLOY, compose, panels, read, rules, run, tool

MINUTES = 20
SAMPLES = 4 * MINUTES + 1
UP = 'up{job="croupier", instance="api:8000"}'
REFUSED = 'croupier_http_requests_total{method="POST", route="x", status="503"}'
FAULT = 'croupier_http_requests_total{method="GET", route="x", status="500"}'
LATE = [None] * (SAMPLES - 8)
"""Nothing until two minutes before the end."""
QUIET: dict[str, list[float | None]] = {
    UP: [1] * SAMPLES,
    "croupier_workers": [1] * SAMPLES,
    "croupier_command_lag_seconds": [0.01, 0.2] * SAMPLES,
    "croupier_partitions_without_owner": [64, *[0] * SAMPLES],  # of the start
    "croupier_frozen_tables": [0] * SAMPLES,
    "croupier_audit_differences": [0] * SAMPLES,
    "croupier_checkpoint_refused": [0] * SAMPLES,
    "croupier_deal_alarms": [0] * SAMPLES,
    "croupier_unarchived_hands": [3, 5, 2, 4] * SAMPLES,
    "croupier_streams_closed_slow_total": [7] * SAMPLES,
    REFUSED: [2] * SAMPLES,  # of yesterday
    FAULT: [1] * SAMPLES,
}
TROUBLES: dict[str, dict[str, list[float | None]]] = {
    "CroupierSilent": {UP: [0] * SAMPLES},
    "CroupierNoWorker": {"croupier_workers": [0] * SAMPLES},
    "CroupierCommandsWait": {"croupier_command_lag_seconds": [*range(SAMPLES)]},
    "CroupierPartitionsWithoutOwner": {"croupier_partitions_without_owner": [32] * SAMPLES},
    "CroupierTablesFrozen": {"croupier_frozen_tables": [1] * SAMPLES},
    "CroupierStoreRefuses": {REFUSED: [*range(SAMPLES)]},
    "CroupierStoreRefuses for the first time": {REFUSED: [*LATE, *[1] * 8]},
    "CroupierFaults": {FAULT: [*range(SAMPLES)]},
    "CroupierFaults for the first time": {FAULT: [*LATE, *[1] * 8]},
    "CroupierAuditDifference": {"croupier_audit_differences": [1] * SAMPLES},
    "CroupierCheckpointRefused": {"croupier_checkpoint_refused": [1] * SAMPLES},
    "CroupierDealsUnlikely": {"croupier_deal_alarms": [1] * SAMPLES},
    "CroupierArchiveAway": {"croupier_audit_differences": [float("nan")] * SAMPLES},
    "CroupierChoresStandStill": {"croupier_unarchived_hands": [*range(1, SAMPLES)]},
    "CroupierStreamsFallBehind": {"croupier_streams_closed_slow_total": [*range(SAMPLES)]},
}


def test_prometheus_looks_at_the_services_of_compose_and_grafana_at_prometheus() -> None:
    services = compose()["services"]
    (job,) = yaml.safe_load(read(DEPLOY / "prometheus" / "prometheus.yml"))["scrape_configs"]
    assert job["static_configs"] == [
        {"targets": [f"{name}:{services[name]['command'][-1]}" for name in ("api", "live")]}
    ]
    (source,) = yaml.safe_load(read(DEPLOY / "grafana" / "datasources" / "prometheus.yml"))["datasources"]
    port = services["prometheus"]["ports"][0].rpartition(":")[2]
    assert source["url"] == f"http://prometheus:{port}"
    assert {panel["datasource"]["uid"] for panel in panels()} == {source["uid"]}
    (provider,) = yaml.safe_load(read(DEPLOY / "grafana" / "dashboards" / "croupier.yml"))["providers"]
    mount = next(volume.split(":")[1] for volume in services["grafana"]["volumes"] if volume.startswith("./grafana"))
    assert provider["options"]["path"] == f"{mount}/dashboards"


def test_no_panel_lies_on_another_one() -> None:
    places = [panel["gridPos"] for panel in panels()]
    assert all(place["x"] + place["w"] <= 24 for place in places)
    for one, other in combinations(places, 2):
        across = one["x"] < other["x"] + other["w"] and other["x"] < one["x"] + one["w"]
        assert not (across and one["y"] < other["y"] + other["h"] and other["y"] < one["y"] + one["h"])
    assert len({panel["id"] for panel in panels()}) == len(places)


def test_every_alert_has_its_trouble_here_and_a_sentence() -> None:
    assert {name.split()[0] for name in TROUBLES} == {rule["alert"] for rule in rules()}
    assert all(rule["annotations"]["summary"] and rule["labels"]["severity"] in ("page", "ticket") for rule in rules())


def case(trouble: str | None) -> dict[str, Any]:
    """As promtool wants it: what is told, and which alerts are raised in the end."""
    series = QUIET | (TROUBLES[trouble] if trouble else {})
    raised = [{"labels": f'{{alertname="{trouble.split()[0]}"}}', "value": 1}] if trouble else []
    return {
        "name": trouble or "quiet",
        "interval": "15s",
        "input_series": [
            {"series": name, "values": " ".join("_" if one is None else str(one) for one in values[:SAMPLES])}
            for name, values in series.items()
        ],
        "promql_expr_test": [
            {"expr": 'count by (alertname) (ALERTS{alertstate="firing"})', "eval_time": f"{MINUTES}m",
             "exp_samples": raised},
        ],
    }  # fmt: skip


def test_each_trouble_raises_its_alert_and_no_other_and_a_quiet_house_none(tmp_path: Path) -> None:
    program = tool("promtool")
    run(program, "check", "config", DEPLOY / "prometheus" / "prometheus.yml")
    cases = {"rule_files": [str(ALERTS)], "evaluation_interval": "15s", "tests": list(map(case, [None, *TROUBLES]))}
    file = tmp_path / "alerts.json"
    file.write_text(json.dumps(cases), "utf-8")
    run(program, "test", "rules", file)
