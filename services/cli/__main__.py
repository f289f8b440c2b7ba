"""`python -m services.cli` is `croupier`."""

from services.cli import main

if __name__ == "__main__":
    main(prog_name="croupier")
