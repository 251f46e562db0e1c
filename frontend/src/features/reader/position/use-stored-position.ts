import { useQuery } from '@tanstack/react-query';
import type { PositionSource } from '../source/reader-source';

/**
 * Loads where the user had stopped when the file was opened, on any device. What is saved afterwards doesn't change it.
 */
export function useStoredPosition(positions: PositionSource, fileId: number) {
  return useQuery({ ...positions.query(fileId), staleTime: Infinity, gcTime: 0 });
}
