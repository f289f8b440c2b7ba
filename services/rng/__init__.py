"""The battery: statistics that the production shuffle must pass and that known broken shuffles must not."""
