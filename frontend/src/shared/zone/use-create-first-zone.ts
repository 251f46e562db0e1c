import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../api/client';
import { useCreateZone } from './use-create-zone';

type Zone = Schema<'ZoneDto'>;

/** What is asked of a first zone; the rest is as every new zone has it. */
export type FirstZoneInput = Required<Pick<Schema<'CreateZoneDto'>, 'name' | 'type'>>;

/** The values of a form that may begin with a first zone: the link for anybody is what most come for. */
export function useFirstZoneDefaults() {
  const { t } = useTranslation('newZone');
  return { name: t('proposed'), type: 'public' as string };
}

/**
 * Makes the first zone, and only once: a second click meets the one that is under way, and who tries again because what
 * followed has failed gets the one that is there.
 */
export function useCreateFirstZone() {
  const createZone = useCreateZone();
  const creationRef = useRef<Promise<Zone> | null>(null);
  return ({ name, type }: { name: string; type: string }): Promise<Zone> => {
    const creation =
      creationRef.current ?? createZone.mutateAsync({ name: name.trim(), type: type as FirstZoneInput['type'] });
    creationRef.current = creation;
    // What was refused is tried anew; who waits for it is told of the refusal by the same promise.
    creation.catch(() => (creationRef.current = null));
    return creation;
  };
}
