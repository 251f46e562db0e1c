import WebhookRounded from '@mui/icons-material/WebhookRounded';
import Box from '@mui/material/Box';
import { useState } from 'react';
import { ListBase, useListContext } from 'react-admin';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/ui/empty-state';
import { ListBody } from '../../ui/list-body';
import { shownByTheList } from '../../ui/shown-by-the-list';
import { isUnderWay, logsOf, type LoggedWebhook, type Sender } from '../senders';
import { columnsOf } from './columns';
import { LogFilters } from './log-filters';
import { SelectedWebhooks } from './selected-webhooks';
import { Summary } from './summary';
import { WebhookCard } from './webhook-card';
import { WebhookDrawer } from './webhook-drawer';

/** How often a list is asked for again while something in it is being processed. */
const whileUnderWay = 2000;

const queryOptions = {
  ...shownByTheList,
  refetchInterval: ({ state }: { state: { data?: { data: unknown[] } } }) =>
    (state.data?.data as LoggedWebhook[] | undefined)?.some(isUnderWay) ? whileUnderWay : (false as const),
};

/** What a sender delivered and what came of it: figures, filters, the list, and one delivery in full beside it. */
export function WebhookLogs({ sender }: { sender: Sender }) {
  return (
    <ListBase
      resource={logsOf(sender)}
      sort={{ field: 'createdAt', order: 'DESC' }}
      perPage={25}
      exporter={false}
      queryOptions={queryOptions}
    >
      <Content sender={sender} />
    </ListBase>
  );
}

function Content({ sender }: { sender: Sender }) {
  const { t } = useTranslation('integrations');
  const { data, refetch } = useListContext<LoggedWebhook>();
  const [opened, setOpened] = useState<LoggedWebhook | null>(null);
  const underWay = data?.some(isUnderWay) ?? false;
  // As it is now, if it is still in the list.
  const shown = opened && (data?.find(({ id }) => id === opened.id) ?? opened);
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <Summary sender={sender} underWay={underWay} onRefresh={() => void refetch()} />
      <Box sx={{ display: 'grid', gap: 4, minWidth: 0 }}>
        <LogFilters />
        <SelectedWebhooks sender={sender} />
        <ListBody<LoggedWebhook>
          label={t('logs.list')}
          failed={t('logs.failedToLoad')}
          empty={<EmptyState icon={<WebhookRounded />} title={t('logs.emptyTitle')} text={t('logs.emptyText')} />}
          nothingFound={{ title: t('logs.nothingFound'), text: t('logs.nothingFoundText'), clear: t('logs.clear') }}
          card={(webhook) => <WebhookCard sender={sender} webhook={webhook} onOpen={() => setOpened(webhook)} />}
          onRow={setOpened}
        >
          {columnsOf(sender, t, setOpened)}
        </ListBody>
      </Box>
      <WebhookDrawer sender={sender} webhook={shown} onClose={() => setOpened(null)} />
    </Box>
  );
}
