"""Lets ``python -m companion`` do what ``companion`` does."""

import sys

from companion.cli import main

sys.exit(main())
