"""`python -m modernart`: the same as the command `modernart`."""

from modernart.command_line import main

if __name__ == "__main__":
    main()
