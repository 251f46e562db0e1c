import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { formatDuration } from '../../../shared/format/duration';
import { useFormat, useLanguage } from '../../../shared/hooks/use-format';

type PageReading = Schema<'PageReadingDto'>;

/** Pages shown at first, and added by each click. */
const SHOWN_PAGES = 50;
const headStyles = { px: 1, lineHeight: 1.3, verticalAlign: 'bottom' };
const cellStyles = { px: 1, fontVariantNumeric: 'tabular-nums' };

/** Members who read a page for less than two seconds aren't readers of it, but their time counts. */
const averageOf = ({ ms, readers }: PageReading): number => ms / Math.max(readers, 1);

/** For how long each page is read on average, as bars and in figures, and where people stop. */
export function PageTimes({ fileId, pages }: { fileId: number; pages: readonly PageReading[] }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const language = useLanguage();
  const titleId = useId();
  const [shown, setShown] = useState(SHOWN_PAGES);
  const longest = Math.max(...pages.map(averageOf), 1);
  return (
    <section aria-labelledby={titleId}>
      <Typography id={titleId} variant="h3">
        {t('reading.pages')}
      </Typography>
      <Table size="small" aria-labelledby={titleId} sx={{ mt: 2 }}>
        <TableHead>
          <TableRow>
            <TableCell sx={{ ...headStyles, pl: 0 }}>{t('reading.page')}</TableCell>
            <TableCell sx={{ ...headStyles, width: '50%' }}>{t('reading.average')}</TableCell>
            <TableCell align="right" sx={headStyles}>
              {t('reading.readers')}
            </TableCell>
            <TableCell align="right" sx={{ ...headStyles, pr: 0 }}>
              {t('reading.stops')}
            </TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {pages.slice(0, shown).map((reading) => (
            <TableRow key={reading.page}>
              <TableCell component="th" scope="row" sx={{ ...cellStyles, pl: 0 }}>
                <PageLabel fileId={fileId} page={reading.page} />
              </TableCell>
              <TableCell sx={cellStyles}>
                <Bar share={averageOf(reading) / longest} />
                {formatDuration(averageOf(reading), language)}
              </TableCell>
              <TableCell align="right" sx={cellStyles}>
                {format.number(reading.readers)}
              </TableCell>
              <TableCell align="right" sx={{ ...cellStyles, pr: 0 }}>
                {format.number(reading.stops)}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {pages.length > shown && (
        <Button onClick={() => setShown(shown + SHOWN_PAGES)} sx={{ mt: 2 }}>
          {t('openings.more')}
        </Button>
      )}
    </section>
  );
}

/** The number of a page beside its image. */
function PageLabel({ fileId, page }: { fileId: number; page: number }) {
  const format = useFormat();
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
      <Box
        component="img"
        src={`/api/files/${fileId}/pages/${page}?width=600&strip`}
        alt=""
        loading="lazy"
        draggable={false}
        sx={{ width: 28, height: 36, border: 1, borderColor: 'outline', objectFit: 'cover', objectPosition: 'top' }}
      />
      {format.number(page)}
    </Box>
  );
}

/** Decorative: the figure is below it. */
function Bar({ share }: { share: number }) {
  return (
    <Box aria-hidden sx={{ height: 8, mb: 0.5, borderRadius: 1, bgcolor: 'action.hover', overflow: 'hidden' }}>
      <Box sx={{ width: `${100 * share}%`, height: '100%', bgcolor: 'primary.main' }} />
    </Box>
  );
}
