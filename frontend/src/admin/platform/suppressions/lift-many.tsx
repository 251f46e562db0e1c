import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useListContext } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { api, type Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { FormField } from '../../../shared/ui/fields/form-field';
import { useChange } from '../../ui/use-change';

export type Suppression = Schema<'SuppressionDto'>;

/** Writes again to many addresses that only failed: those chosen in the list, or all since a day. Asks before it does. */
export function LiftMany() {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { selectedIds, onUnselectItems } = useListContext<Suppression>();
  const [asking, setAsking] = useState<'chosen' | 'since' | null>(null);
  const close = () => setAsking(null);
  const count = selectedIds.length;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
      <Box role="status" sx={{ display: count === 0 ? 'none' : 'block' }}>
        {count > 0 && <Typography>{t('suppressions.chosen', { count, formatted: format.number(count) })}</Typography>}
      </Box>
      {count > 0 && (
        <>
          <Button variant="contained" onClick={() => setAsking('chosen')}>
            {t('suppressions.liftChosen')}
          </Button>
          <Button onClick={() => onUnselectItems()}>{t('suppressions.clear')}</Button>
        </>
      )}
      <Button onClick={() => setAsking('since')}>{t('suppressions.liftSince')}</Button>
      <AskChosen open={asking === 'chosen'} onClose={close} />
      {asking === 'since' && <AskSince onClose={close} />}
    </Box>
  );
}

function useLiftMany(done: () => void) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const said = (count: number) =>
    count === 0
      ? t('suppressions.liftedNone')
      : t('suppressions.liftedMany', { count, formatted: format.number(count) });
  return useChange<Schema<'LiftManyDto'>, number>({
    resource: 'suppressions',
    call: async (body) => {
      const { lifted } = (await api.POST('/api/admin/suppressions/lift', { body })).data!;
      done();
      return lifted;
    },
    done: said,
    failed: t('suppressions.liftManyFailed'),
  });
}

function AskChosen({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const { selectedIds, onUnselectItems } = useListContext<Suppression>();
  const lift = useLiftMany(() => {
    onUnselectItems();
    onClose();
  });
  return (
    <ConfirmDialog
      open={open}
      title={t('suppressions.askChosen')}
      confirmLabel={t('suppressions.liftConfirm')}
      tone="plain"
      busy={lift.isPending}
      onConfirm={() => lift.mutate({ ids: selectedIds.map(Number) })}
      onClose={onClose}
    >
      {t('suppressions.askText')}
    </ConfirmDialog>
  );
}

function AskSince({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('admin');
  const [day, setDay] = useState('');
  const [isMissing, setMissing] = useState(false);
  const lift = useLiftMany(onClose);
  const confirm = () => (day ? lift.mutate({ failedSince: `${day}T00:00:00Z` }) : setMissing(true));
  return (
    <ConfirmDialog
      open
      title={t('suppressions.askSince')}
      confirmLabel={t('suppressions.liftConfirm')}
      tone="plain"
      busy={lift.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <span>{t('suppressions.askText')}</span>
        <FormField
          id="failed-since"
          name="failedSince"
          type="date"
          label={t('suppressions.sinceDay')}
          help={t('suppressions.sinceHelp')}
          error={isMissing && !day ? t('suppressions.sinceRequired') : undefined}
          value={day}
          onChange={(event) => setDay(event.target.value)}
        />
      </Box>
    </ConfirmDialog>
  );
}

/** Chooses an entry; only what failed can be lifted. */
export function ChooseOne({ row: { id, canLift } }: { row: Suppression }) {
  const { t } = useTranslation('admin');
  const { selectedIds, onToggleItem } = useListContext<Suppression>();
  if (!canLift) return null;
  return (
    <Checkbox
      checked={selectedIds.includes(id)}
      onChange={() => onToggleItem(id)}
      slotProps={{ input: { 'aria-label': t('suppressions.choose', { id }) } }}
    />
  );
}

/** Chooses every entry of the page that can be lifted, or none of them. */
export function ChooseAll() {
  const { t } = useTranslation('admin');
  const { data = [], selectedIds, onSelect } = useListContext<Suppression>();
  const shown = data.filter(({ canLift }) => canLift).map(({ id }) => id);
  const chosen = shown.filter((id) => selectedIds.includes(id)).length;
  const all = chosen > 0 && chosen === shown.length;
  const others = selectedIds.filter((id) => !shown.includes(Number(id)));
  return (
    <Checkbox
      checked={all}
      indeterminate={chosen > 0 && !all}
      disabled={shown.length === 0}
      onChange={() => onSelect(all ? others : [...others, ...shown])}
      slotProps={{ input: { 'aria-label': t('suppressions.chooseAll') } }}
    />
  );
}
