// The records of quality, and how its numbers are written.
import type { Schema } from '@shell';

export type Feedback = Schema<'FeedbackShown'>;
export type Dataset = Schema<'DatasetShown'>;
export type Item = Schema<'DatasetShownItem'>;
export type Input = Schema<'DatasetInput'>;
export type Evaluation = Schema<'EvaluationShown'>;
export type Result = Schema<'EvaluationShownResult'>;
export type Experiment = Schema<'ExperimentShown'>;

export const reviewStatuses = ['NONE', 'REQUESTED', 'ACCEPTED', 'REJECTED'] as const;
export const targets = ['MESSAGE', 'DRAFT', 'EXECUTION', 'DECISION'] as const;
export const graders = ['EXACT', 'CONTAINS', 'LANGUAGE', 'VALIDATORS', 'ACTION', 'JUDGE'] as const;
export const evaluationStatuses = ['DRAFT', 'QUEUED', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
export const experimentStatuses = ['DRAFT', 'RUNNING', 'COMPLETED', 'CANCELLED'] as const;
export const metrics = ['REPLY_RATE', 'STAGE_ADVANCE', 'APPROVAL_RATE', 'HANDOFF_RATE', 'BLOCK_RATE'] as const;

/** How the states of reviews look. */
export const reviewLooks = { NONE: 'PENDING', REQUESTED: 'WARN', ACCEPTED: 'ACCEPTED', REJECTED: 'DISABLED' } as const;

/** Lines of a text, without empty ones. */
export const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((s) => s.trim())
    .filter(Boolean);
