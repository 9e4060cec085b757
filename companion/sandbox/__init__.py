"""Where foreign pages live, and all that stands between them and everything else."""
