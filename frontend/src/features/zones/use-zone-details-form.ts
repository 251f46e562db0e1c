import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useForm } from '../../shared/forms/use-form';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { toast } from '../../shared/toast/toast-store';
import { useUpdateZone, ZoneConflictError } from './api/use-zone-mutations';
import type { Zone } from './sort-zones';

export type ZoneDetails = Pick<Zone, 'name' | 'description'>;

const FIELD_NAMES = ['name', 'description'] as const;
const toDetails = ({ name, description }: Zone): ZoneDetails => ({ name, description });

/**
 * Form for a zone's name and description that saves only changed fields. Fields changed elsewhere in the meantime are
 * updated if nothing was typed into them; if the same field was changed twice, `conflict` has the other version until
 * the user chooses.
 */
export function useZoneDetailsForm(zone: Zone, onSaved: () => void, { isDialog = false } = {}) {
  const { t } = useTranslation('zones');
  const errorText = useErrorText();
  const update = useUpdateZone();
  const [loadedZone, setLoadedZone] = useState(zone);
  const [conflict, setConflict] = useState<Zone | null>(null);
  const save = async ({ name, description }: ZoneDetails, baseZone: Zone) => {
    const changes = { name: name.trim(), description: description.trim() };
    const saved = await update.mutateAsync({ baseZone: baseZone, changes });
    setLoadedZone(saved);
    setConflict(null);
    onSaved();
    return toDetails(saved);
  };
  const handleError = (error: unknown) => {
    if (error instanceof ZoneConflictError) setConflict(error.currentZone);
    else toast.error(t('edit.failed'), errorText(error));
  };
  const form = useForm({
    initial: toDetails(zone),
    draft: isDialog ? { key: `zone.${zone.id}.texts`, fields: FIELD_NAMES, replacesSaved: true } : undefined,
    validate: ({ name }) => (name.trim() ? {} : { name: t('form.nameRequired') }),
    submit: (texts) => save(texts, loadedZone),
    onFailure: handleError,
  });
  const { hasChanges, reset } = form;
  const isNewer = zone.version > loadedZone.version && !hasChanges && !form.isSubmitting;
  if (isNewer) {
    setLoadedZone(zone);
    reset(toDetails(zone));
  }

  /** Returns the typed values on top of the current zone. */
  const mergeEdits = (current: Zone, shouldKeep: (name: (typeof FIELD_NAMES)[number]) => boolean): ZoneDetails =>
    FIELD_NAMES.reduce(
      (details, name) => (shouldKeep(name) ? { ...details, [name]: form.values[name] } : details),
      toDetails(current),
    );
  const isEdited = (name: (typeof FIELD_NAMES)[number]) => form.values[name].trim() !== loadedZone[name];

  return {
    form,
    conflict: conflict && {
      fields: FIELD_NAMES.filter((name) => isEdited(name) && conflict[name] !== loadedZone[name]),
      remoteValues: toDetails(conflict),
      isSaving: update.isPending,
      takeTheirs: () => {
        const texts = mergeEdits(conflict, (name) => isEdited(name) && conflict[name] === loadedZone[name]);
        reset(toDetails(conflict));
        for (const name of FIELD_NAMES) form.set(name, texts[name]);
        setLoadedZone(conflict);
        setConflict(null);
      },
      keepMine: async () => {
        const texts = mergeEdits(conflict, isEdited);
        await save(texts, conflict).then(reset, handleError);
      },
    },
  };
}
