import type { ReportState } from './choices';

// The life of an abuse report: what is over can be opened again, and is not over in
// another way without that.
const next: Record<ReportState, readonly ReportState[]> = {
  OPEN: ['INVESTIGATING', 'RESOLVED', 'DISMISSED'],
  INVESTIGATING: ['OPEN', 'RESOLVED', 'DISMISSED'],
  RESOLVED: ['OPEN'],
  DISMISSED: ['OPEN'],
};

/** What a report may become. */
export const nextStates = (s: ReportState): readonly ReportState[] => next[s];

/** Whether it must be said what was done. */
export const needsResolution = (s: string): boolean => s === 'RESOLVED' || s === 'DISMISSED';
