import ReplayRounded from '@mui/icons-material/ReplayRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Typography from '@mui/material/Typography';
import { useListContext } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import type { LoggedWebhook, Sender } from '../senders';
import { useReplayWebhooks } from './use-webhook-mutations';

/** Actions for the selected deliveries; nothing without a selection. */
export function WebhookSelectionActions({ sender }: { sender: Sender }) {
  const { t } = useTranslation('integrations');
  const format = useFormat();
  const { selectedIds, onUnselectItems } = useListContext<LoggedWebhook>();
  const replayWebhooks = useReplayWebhooks(sender, onUnselectItems);
  const selectedCount = selectedIds.length;
  return (
    <Box
      role="status"
      sx={{ display: selectedCount === 0 ? 'none' : 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}
    >
      {selectedCount > 0 && (
        <>
          <Typography>
            {t('selection.chosen', { count: selectedCount, formatted: format.number(selectedCount) })}
          </Typography>
          <Button
            variant="contained"
            startIcon={<ReplayRounded />}
            aria-busy={replayWebhooks.isPending}
            onClick={() =>
              replayWebhooks.isPending || replayWebhooks.mutate({ body: { ids: selectedIds.map(Number) } })
            }
          >
            {t('selection.replay')}
          </Button>
          <Button onClick={() => onUnselectItems()}>{t('selection.clear')}</Button>
        </>
      )}
    </Box>
  );
}

/** Selects a delivery without opening its row. */
export function SelectWebhookCheckbox({ id }: { id: number }) {
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

/** Selects all deliveries on the page, or none. */
export function SelectAllWebhooksCheckbox() {
  const { t } = useTranslation('integrations');
  const { data = [], selectedIds, onSelect } = useListContext<LoggedWebhook>();
  const pageIds = data.map(({ id }) => id);
  const selectedCount = pageIds.filter((id) => selectedIds.includes(id)).length;
  const areAllSelected = selectedCount > 0 && selectedCount === pageIds.length;
  const otherSelectedIds = selectedIds.filter((id) => !pageIds.includes(Number(id)));
  return (
    <Checkbox
      checked={areAllSelected}
      indeterminate={selectedCount > 0 && !areAllSelected}
      onChange={() => onSelect(areAllSelected ? otherSelectedIds : [...otherSelectedIds, ...pageIds])}
      slotProps={{ input: { 'aria-label': t('selection.all') } }}
    />
  );
}
