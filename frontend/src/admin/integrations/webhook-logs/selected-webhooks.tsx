import ReplayRounded from '@mui/icons-material/ReplayRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Typography from '@mui/material/Typography';
import { useListContext } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import type { LoggedWebhook, Sender } from '../senders';
import { useReplayMany } from './use-webhook-changes';

/** What can be done with the deliveries that are chosen; nothing while there are none. */
export function SelectedWebhooks({ sender }: { sender: Sender }) {
  const { t } = useTranslation('integrations');
  const format = useFormat();
  const { selectedIds, onUnselectItems } = useListContext<LoggedWebhook>();
  const replay = useReplayMany(sender, onUnselectItems);
  const count = selectedIds.length;
  return (
    <Box role="status" sx={{ display: count === 0 ? 'none' : 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
      {count > 0 && (
        <>
          <Typography>{t('selection.chosen', { count, formatted: format.number(count) })}</Typography>
          <Button
            variant="contained"
            startIcon={<ReplayRounded />}
            aria-busy={replay.isPending}
            onClick={() => replay.isPending || replay.mutate({ body: { ids: selectedIds.map(Number) } })}
          >
            {t('selection.replay')}
          </Button>
          <Button onClick={() => onUnselectItems()}>{t('selection.clear')}</Button>
        </>
      )}
    </Box>
  );
}

/** Chooses a delivery; the row around it is not opened by that. */
export function ChooseWebhook({ id }: { id: number }) {
  const { t } = useTranslation('integrations');
  const { selectedIds, onToggleItem } = useListContext<LoggedWebhook>();
  return (
    <Checkbox
      checked={selectedIds.includes(id)}
      onClick={(event) => event.stopPropagation()}
      onChange={() => onToggleItem(id)}
      slotProps={{ input: { 'aria-label': t('selection.choose', { id }) } }}
    />
  );
}

/** Chooses every delivery of the page, or none. */
export function ChooseAllWebhooks() {
  const { t } = useTranslation('integrations');
  const { data = [], selectedIds, onSelect } = useListContext<LoggedWebhook>();
  const shown = data.map(({ id }) => id);
  const chosen = shown.filter((id) => selectedIds.includes(id)).length;
  const all = chosen > 0 && chosen === shown.length;
  const others = selectedIds.filter((id) => !shown.includes(Number(id)));
  return (
    <Checkbox
      checked={all}
      indeterminate={chosen > 0 && !all}
      onChange={() => onSelect(all ? others : [...others, ...shown])}
      slotProps={{ input: { 'aria-label': t('selection.all') } }}
    />
  );
}
