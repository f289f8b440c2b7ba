"""The manifests as kubectl renders them say of each process what compose.yaml says, and all they name is there."""

from __future__ import annotations

import shutil
from base64 import b64decode
from typing import Any

import pytest
import yaml

from tests.deploy.files import DEPLOY, compose, croupiers, make_secrets, read, run, tool

Manifest = dict[str, Any]
MOUNT = "/run/secrets/croupier"


@pytest.fixture(scope="module")
def manifests(tmp_path_factory: pytest.TempPathFactory) -> list[Manifest]:
    """Of the house whose secrets have been made."""
    program, deploy = tool("kubectl"), tmp_path_factory.mktemp("kubernetes") / "deploy"
    shutil.copytree(DEPLOY, deploy, ignore=shutil.ignore_patterns("secrets", "__pycache__"))
    assert make_secrets(deploy / "secrets").returncode == 0
    house = deploy / "kubernetes" / "house"
    return list(yaml.safe_load_all(run(program, "kustomize", "--load-restrictor", "LoadRestrictionsNone", house)))


def of_kind(manifests: list[Manifest], *kinds: str) -> dict[str, Manifest]:
    return {found["metadata"]["name"]: found for found in manifests if found["kind"] in kinds}


def pods(manifests: list[Manifest]) -> dict[str, Manifest]:
    """name → template, of everything that runs."""
    found = of_kind(manifests, "Deployment", "StatefulSet")
    return {name: manifest["spec"]["template"] for name, manifest in found.items()}


def container(pod: Manifest) -> Manifest:
    (found,) = pod["spec"]["containers"]
    assert isinstance(found, dict)
    return found


def environment(manifests: list[Manifest], pod: Manifest) -> dict[str, str]:
    settings = of_kind(manifests, "ConfigMap")
    shared = [settings[source["configMapRef"]["name"]]["data"] for source in container(pod)["envFrom"]]
    own = {one["name"]: one["value"] for one in container(pod).get("env", ())}
    return {**{name: value for data in shared for name, value in data.items()}, **own}


def test_every_process_of_compose_runs_with_the_same_words_and_keys(manifests: list[Manifest]) -> None:
    """Where the archive and the data are is a cluster's own affair."""
    running = pods(manifests)
    for name, service in croupiers().items():
        pod, own = running[name], environment(manifests, running[name])
        assert container(pod).get("args", service.get("command")) == service.get("command")
        wanted = {key: value.replace("/run/secrets", MOUNT) for key, value in service["environment"].items()}
        wanted = {**wanted, "CROUPIER_PROXIES": "1"}
        for places in (own, wanted):
            places.pop("CROUPIER_DATABASE_URL", None), places.pop("CROUPIER_DATA_DIR", None)
        assert own == wanted
        files = {one["target"] if isinstance(one, dict) else one for one in service["secrets"]}
        assert set(secret(manifests, pod)) == files


def secret(manifests: list[Manifest], pod: Manifest) -> Manifest:
    """What the pod finds at MOUNT."""
    (name,) = [mount["name"] for mount in container(pod)["volumeMounts"] if mount["mountPath"] == MOUNT]
    (volume,) = [volume for volume in pod["spec"]["volumes"] if volume["name"] == name]
    data: Manifest = of_kind(manifests, "Secret")[volume["secret"]["secretName"]]["data"]
    return data


def test_each_process_comes_to_the_store_as_its_own_user(manifests: list[Manifest]) -> None:
    running = pods(manifests)
    store = of_kind(manifests, "Service")["redis"]["spec"]["ports"][0]["port"]
    for name in croupiers():
        user = "api" if name == "live" else name
        address = b64decode(secret(manifests, running[name])["croupier.toml"]).decode()
        assert address.startswith(f'redis_url = "redis://{user}:') and f"@redis:{store}/0" in address


def test_the_store_and_the_proxy_get_the_files_of_this_folder(manifests: list[Manifest]) -> None:
    config = [found["data"] for found in of_kind(manifests, "ConfigMap").values()]
    assert {"redis.conf": read(DEPLOY / "redis.conf")} in config
    assert {"Caddyfile": read(DEPLOY / "Caddyfile")} in config
    service, store = compose()["services"]["redis"], container(pods(manifests)["redis"])
    assert store["image"] == service["image"]
    assert store["command"] == [*service["command"], "--dir", "/data"]
    for probe in ("startupProbe", "readinessProbe"):
        assert store[probe]["exec"]["command"] == ["sh", "-c", service["healthcheck"]["test"][1]]


def test_nobody_is_root_or_may_become_it(manifests: list[Manifest]) -> None:
    """What the namespace demands (pod security, restricted)."""
    for pod in pods(manifests).values():
        assert pod["spec"]["securityContext"]["runAsNonRoot"] is True
        assert pod["spec"]["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert container(pod)["securityContext"]["allowPrivilegeEscalation"] is False
        assert container(pod)["securityContext"]["capabilities"]["drop"] == ["ALL"]


def test_processes_of_two_versions_never_run_side_by_side(manifests: list[Manifest]) -> None:
    """Decision 14: workers and API are of one version."""
    for name in croupiers():
        assert of_kind(manifests, "Deployment")[name]["spec"]["strategy"] == {"type": "Recreate"}


def test_every_selector_finds_its_pods(manifests: list[Manifest]) -> None:
    """Services, budgets and rules; only clients of the store reach it."""
    labels = {name: pod["metadata"]["labels"] for name, pod in pods(manifests).items()}

    def chosen(wanted: Manifest) -> set[str]:
        return {name for name, own in labels.items() if wanted.items() <= own.items()}

    for name, manifest in of_kind(manifests, "Service").items():
        assert chosen(manifest["spec"]["selector"]) == {name}
        ports = {port["containerPort"] for port in container(pods(manifests)[name])["ports"]}
        assert {port["port"] for port in manifest["spec"]["ports"]} == ports
    for name, manifest in of_kind(manifests, "PodDisruptionBudget").items():
        assert chosen(manifest["spec"]["selector"]["matchLabels"]) == {name}
        assert of_kind(manifests, "Deployment")[name]["spec"]["replicas"] > manifest["spec"]["minAvailable"]
    rules = of_kind(manifests, "NetworkPolicy")
    assert rules["nobody"]["spec"] == {"podSelector": {}, "policyTypes": ["Ingress"]}
    (source,) = rules["redis"]["spec"]["ingress"][0]["from"]
    assert chosen(source["podSelector"]["matchLabels"]) == set(croupiers())


def test_the_readme_renders_what_is_tested_here() -> None:
    words = "kubectl kustomize --load-restrictor LoadRestrictionsNone deploy/kubernetes/house"
    assert words in read(DEPLOY / "README.md") and words in read(DEPLOY / "kubernetes" / "house" / "kustomization.yaml")
