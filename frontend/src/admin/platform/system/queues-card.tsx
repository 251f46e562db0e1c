import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useTranslation } from 'react-i18next';
import { layoutSize } from '../../../app/theme/tokens';
import type { Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { useMediaQuery } from '../../../shared/hooks/use-media-query';
import { Badge } from '../../../shared/ui/badge';
import { SectionCard } from '../../../shared/ui/section-card';
import { DefinitionList } from '../../ui/definition-list';
import { useQueueLabel } from '../jobs/queue-names';

type QueueState = Schema<'QueueStateDto'>;
const columns = ['due', 'later', 'running', 'dead'] as const;

/** The state of each queue: a table, or one line per queue on narrow screens. */
export function QueuesCard({ queues }: { queues: readonly QueueState[] }) {
  const { t } = useTranslation('admin');
  const isWide = useMediaQuery(`(min-width: ${layoutSize.drawerBelow}px)`);
  return (
    <SectionCard title={t('system.queues')}>
      {isWide ? <QueueTable queues={queues} /> : <QueueList queues={queues} />}
    </SectionCard>
  );
}

function QueueList({ queues }: { queues: readonly QueueState[] }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const getQueueLabel = useQueueLabel();
  const formatQueue = (queue: QueueState) => [
    ...columns.map((column) => `${t(`system.${column}`)} ${format.number(queue[column])}`),
    ...(queue.oldestDueAt ? [`${t('system.oldest')} ${format.dateTime(queue.oldestDueAt)}`] : []),
  ];
  const items = queues.map((queue) => [getQueueLabel(queue.queue), formatQueue(queue).join(' · ')] as const);
  return <DefinitionList label={t('system.queues')} items={items} />;
}

function QueueTable({ queues }: { queues: readonly QueueState[] }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const getQueueLabel = useQueueLabel();
  return (
    <Box tabIndex={0} role="group" aria-label={t('system.queues')} sx={{ overflowX: 'auto' }}>
      <Table size="small" aria-label={t('system.queues')}>
        <TableHead>
          <TableRow>
            <TableCell>{t('jobs.queue')}</TableCell>
            {columns.map((column) => (
              <TableCell key={column} align="right">
                {t(`system.${column}`)}
              </TableCell>
            ))}
            <TableCell>{t('system.oldest')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {queues.map((queue) => (
            <TableRow key={queue.queue}>
              <TableCell>{getQueueLabel(queue.queue)}</TableCell>
              {columns.map((column) => (
                <TableCell key={column} align="right">
                  {column === 'dead' && queue.dead > 0 ? (
                    <Badge tone="danger">{format.number(queue.dead)}</Badge>
                  ) : (
                    format.number(queue[column])
                  )}
                </TableCell>
              ))}
              <TableCell>{queue.oldestDueAt ? format.dateTime(queue.oldestDueAt) : '–'}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}
