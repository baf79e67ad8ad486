"""Operations: one function for each kind of task, which works on a stage and on nothing else."""
