import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useForm } from '../../shared/forms/use-form';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { toast } from '../../shared/toast/toast-store';
import { useUpdateZone, ZoneClash } from './api/use-change-zone';
import type { Zone } from './sort-zones';

export type Texts = Pick<Zone, 'name' | 'description'>;

const names = ['name', 'description'] as const;
const textsOf = ({ name, description }: Zone): Texts => ({ name, description });

/**
 * Name and description of a zone as a form. Only what was changed is saved; what is saved elsewhere meanwhile is shown at
 * once where nothing was typed, and where the same was changed twice `clash` has the other wording until somebody chooses.
 */
export function useZoneTexts(zone: Zone, onSaved: () => void, { isDialog = false } = {}) {
  const { t } = useTranslation('zones');
  const errorText = useErrorText();
  const update = useUpdateZone();
  const [seen, setSeen] = useState(zone);
  const [clash, setClash] = useState<Zone | null>(null);
  const save = async ({ name, description }: Texts, over: Zone) => {
    const wanted = { name: name.trim(), description: description.trim() };
    const saved = await update.mutateAsync({ seen: over, wanted });
    setSeen(saved);
    setClash(null);
    onSaved();
    return textsOf(saved);
  };
  const failed = (error: unknown) => {
    if (error instanceof ZoneClash) setClash(error.now);
    else toast.error(t('edit.failed'), errorText(error));
  };
  const form = useForm({
    initial: textsOf(zone),
    keep: isDialog ? { as: `zone.${zone.id}.texts`, fields: names, overSaved: true } : undefined,
    validate: ({ name }) => (name.trim() ? {} : { name: t('form.nameRequired') }),
    submit: (texts) => save(texts, seen),
    onFailure: failed,
  });
  const { changed, reset } = form;
  const isNewer = zone.version > seen.version && !changed && !form.sending;
  if (isNewer) {
    setSeen(zone);
    reset(textsOf(zone));
  }

  /** What was typed here, over what stands there now. */
  const merged = (now: Zone, keep: (name: (typeof names)[number]) => boolean): Texts =>
    names.reduce((texts, name) => (keep(name) ? { ...texts, [name]: form.values[name] } : texts), textsOf(now));
  const typed = (name: (typeof names)[number]) => form.values[name].trim() !== seen[name];

  return {
    form,
    clash: clash && {
      fields: names.filter((name) => typed(name) && clash[name] !== seen[name]),
      theirs: textsOf(clash),
      isSaving: update.isPending,
      takeTheirs: () => {
        const texts = merged(clash, (name) => typed(name) && clash[name] === seen[name]);
        reset(textsOf(clash));
        for (const name of names) form.set(name, texts[name]);
        setSeen(clash);
        setClash(null);
      },
      keepMine: async () => {
        const texts = merged(clash, typed);
        await save(texts, clash).then(reset, failed);
      },
    },
  };
}
