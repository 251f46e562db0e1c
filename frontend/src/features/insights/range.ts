import { useUrlChoice } from '../../shared/browse/use-url-choice';

export const ranges = ['7', '30', '90', 'all'] as const;
export type Range = (typeof ranges)[number];

/** The selected time range, kept in the URL. */
export const useRange = (): [Range, (range: Range) => void] => useUrlChoice('range', ranges, '30');
