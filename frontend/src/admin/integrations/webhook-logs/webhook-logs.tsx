import WebhookRounded from '@mui/icons-material/WebhookRounded';
import Box from '@mui/material/Box';
import { useState } from 'react';
import { ListBase, useListContext } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/ui/empty-state';
import { ListBody } from '../../ui/list-body';
import { silentQueryErrors } from '../../ui/silent-query-errors';
import { isBeingProcessed, toLogsResource, type LoggedWebhook, type Sender } from '../senders';
import { createColumns } from './columns';
import { WebhookLogFilters } from './log-filters';
import { WebhookSelectionActions } from './webhook-selection';
import { WebhookSummary } from './webhook-summary';
import { WebhookCard } from './webhook-card';
import { WebhookDrawer } from './webhook-drawer';

/** In milliseconds. */
const PROCESSING_POLL_INTERVAL = 2000;

const queryOptions = {
  ...silentQueryErrors,
  refetchInterval: ({ state }: { state: { data?: { data: unknown[] } } }) =>
    (state.data?.data as LoggedWebhook[] | undefined)?.some(isBeingProcessed)
      ? PROCESSING_POLL_INTERVAL
      : (false as const),
};

/** A sender's deliveries: figures, filters, list, and the details of one. */
export function WebhookLogs({ sender }: { sender: Sender }) {
  return (
    <ListBase
      resource={toLogsResource(sender)}
      sort={{ field: 'createdAt', order: 'DESC' }}
      perPage={25}
      exporter={false}
      queryOptions={queryOptions}
    >
      <WebhookLogsContent sender={sender} />
    </ListBase>
  );
}

function WebhookLogsContent({ sender }: { sender: Sender }) {
  const { t } = useTranslation('integrations');
  const { data, refetch } = useListContext<LoggedWebhook>();
  const [opened, setOpened] = useState<LoggedWebhook | null>(null);
  const isProcessing = data?.some(isBeingProcessed) ?? false;
  // The current version, if it is still in the list.
  const currentWebhook = opened && (data?.find(({ id }) => id === opened.id) ?? opened);
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <WebhookSummary sender={sender} isProcessing={isProcessing} onRefresh={() => void refetch()} />
      <Box sx={{ display: 'grid', gap: 4, minWidth: 0 }}>
        <WebhookLogFilters />
        <WebhookSelectionActions sender={sender} />
        <ListBody<LoggedWebhook>
          label={t('logs.list')}
          errorTitle={t('logs.failedToLoad')}
          empty={<EmptyState icon={<WebhookRounded />} title={t('logs.emptyTitle')} text={t('logs.emptyText')} />}
          noResults={{ title: t('logs.nothingFound'), text: t('logs.nothingFoundText'), clearLabel: t('logs.clear') }}
          renderCard={(webhook) => <WebhookCard sender={sender} webhook={webhook} onOpen={() => setOpened(webhook)} />}
          onRowClick={setOpened}
        >
          {createColumns(sender, t, setOpened)}
        </ListBody>
      </Box>
      <WebhookDrawer sender={sender} webhook={currentWebhook} onClose={() => setOpened(null)} />
    </Box>
  );
}
