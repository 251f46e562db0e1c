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
import { useMedia } from '../../../shared/hooks/use-media';
import { Badge } from '../../../shared/ui/badge';
import { SectionCard } from '../../../shared/ui/section-card';
import { Facts } from '../../ui/facts';
import { useQueueName } from '../jobs/queues';

type Queue = Schema<'QueueStateDto'>;
const columns = ['due', 'later', 'running', 'dead'] as const;

/** Where each queue stands: a table, and on narrow screens a line of words a queue. */
export function Queues({ queues }: { queues: readonly Queue[] }) {
  const { t } = useTranslation('admin');
  const wide = useMedia(`(min-width: ${layoutSize.drawerBelow}px)`);
  return (
    <SectionCard title={t('system.queues')}>
      {wide ? <QueueTable queues={queues} /> : <QueueLines queues={queues} />}
    </SectionCard>
  );
}

function QueueLines({ queues }: { queues: readonly Queue[] }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const name = useQueueName();
  const line = (queue: Queue) => [
    ...columns.map((column) => `${t(`system.${column}`)} ${format.number(queue[column])}`),
    ...(queue.oldestDueAt ? [`${t('system.oldest')} ${format.dateTime(queue.oldestDueAt)}`] : []),
  ];
  const facts = queues.map((queue) => [name(queue.queue), line(queue).join(' · ')] as const);
  return <Facts label={t('system.queues')} facts={facts} />;
}

function QueueTable({ queues }: { queues: readonly Queue[] }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const name = useQueueName();
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
              <TableCell>{name(queue.queue)}</TableCell>
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
