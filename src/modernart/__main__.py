"""`python -m modernart`, and the command `modernart`, which is the same."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C is answered in a word also while it loads."""
    try:
        from modernart.command_line import main as run

        run()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
