import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../api/client';
import { useCreateZone } from './use-create-zone';

type Zone = Schema<'ZoneDto'>;

/** What is asked for a first zone; everything else uses the defaults. */
export type FirstZoneInput = Required<Pick<Schema<'CreateZoneDto'>, 'name' | 'type'>>;

/** Initial values for forms that create a first zone; access by link, which most users want. */
export function useFirstZoneDefaults() {
  const { t } = useTranslation('newZone');
  return { name: t('proposed'), type: 'public' as string };
}

/**
 * Creates the first zone only once: a second click waits for the request in progress, and a retry after a later failure
 * reuses the created zone.
 */
export function useCreateFirstZone() {
  const createZone = useCreateZone();
  const creationRef = useRef<Promise<Zone> | null>(null);
  return ({ name, type }: { name: string; type: string }): Promise<Zone> => {
    const creation =
      creationRef.current ?? createZone.mutateAsync({ name: name.trim(), type: type as FirstZoneInput['type'] });
    creationRef.current = creation;
    // A failed creation may be retried; callers receive the failure through the returned promise.
    creation.catch(() => (creationRef.current = null));
    return creation;
  };
}
