import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import { useUpdateZone, ZoneConflictError } from '../api/use-zone-mutations';
import type { Zone } from '../sort-zones';

interface Props {
  zone: Zone;
  setting: 'showFiles' | 'recordsReading';
  label: string;
}

/** A setting of a zone that is saved immediately. */
export function ZoneCheckbox({ zone, setting, label }: Props) {
  const { t } = useTranslation('zones');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  const update = useUpdateZone();
  const pendingValue = update.isPending ? update.variables.changes[setting] : undefined;
  const save = (value: boolean) => {
    update.mutate(
      { baseZone: zone, changes: { [setting]: value } },
      {
        onSuccess: () => toast.success(t('edit.done')),
        onError: (error) => {
          if (error instanceof ZoneConflictError) toast.error(common('form.changedTitle'));
          else toast.error(t('edit.failed'), errorText(error));
        },
      },
    );
  };
  return (
    <FormControlLabel
      control={
        <Checkbox
          checked={pendingValue ?? zone[setting]}
          disabled={update.isPending}
          onChange={(event) => save(event.target.checked)}
        />
      }
      label={label}
    />
  );
}
