import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';

const metrics = ['views', 'downloads', 'joins', 'leaves'] as const;

/** The chart's data as a table, latest first. */
export function SeriesTable({ series }: { series: Schema<'AnalyticsSeriesDto'> }) {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const kind = series.bucket === 'month' ? 'month' : 'whole';
  return (
    <Box tabIndex={0} role="region" aria-label={t('series.figures')} sx={{ mt: 3, maxHeight: 480, overflow: 'auto' }}>
      <Table size="small" stickyHeader sx={{ fontVariantNumeric: 'tabular-nums' }}>
        <TableHead>
          <TableRow>
            <TableCell>{t(`series.time.${series.bucket}`)}</TableCell>
            {[...metrics, 'storage' as const].map((figure) => (
              <TableCell key={figure} align="right">
                {t(`series.${figure}`)}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {[...series.points].reverse().map((point) => (
            <TableRow key={point.from}>
              <TableCell component="th" scope="row" sx={{ whiteSpace: 'nowrap' }}>
                {format.day(point.from, kind)}
              </TableCell>
              {metrics.map((figure) => (
                <TableCell key={figure} align="right">
                  {format.number(point[figure])}
                </TableCell>
              ))}
              <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
                {point.storage === null ? '–' : format.size(point.storage)}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  );
}
