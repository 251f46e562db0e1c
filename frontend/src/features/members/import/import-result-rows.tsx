import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import type { ImportResult } from './use-import';

/** Estimated height in pixels of a row with one line; rows wrap on phones and with long addresses. */
const ROW_HEIGHT = 40;

/** The rows of a file in a scrollable, virtualised list. Failed rows come first. */
export function ImportResultRows({ rows }: { rows: ImportResult['results'] }) {
  const { t } = useTranslation('members');
  const format = useFormat();
  const [scrollElement, setScrollElement] = useState<HTMLDivElement | null>(null);
  const sorted = rows.toSorted((a, b) => Number(a.success) - Number(b.success) || a.row - b.row);
  const virtualizer = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => scrollElement,
    estimateSize: () => ROW_HEIGHT,
    measureElement: (row) => row.getBoundingClientRect().height || ROW_HEIGHT,
    overscan: 10,
    initialRect: { width: 600, height: 320 },
  });
  return (
    <Box
      ref={setScrollElement}
      role="group"
      aria-label={t('import.rows')}
      tabIndex={0}
      sx={{ maxHeight: 320, overflowY: 'auto', border: 1, borderColor: 'divider', borderRadius: 1 }}
    >
      <Box component="ul" sx={{ position: 'relative', m: 0, p: 0 }} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => {
          const { row, record, email, success, message } = sorted[index]!;
          return (
            <Box
              component="li"
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              sx={{
                position: 'absolute',
                inset: '0 0 auto',
                display: 'grid',
                gridTemplateColumns: { xs: '72px minmax(0, 1fr)', sm: '88px minmax(0, 1fr) minmax(0, 1fr)' },
                alignItems: { sm: 'center' },
                columnGap: { xs: 1, sm: 3 },
                minHeight: ROW_HEIGHT,
                px: { xs: 2, sm: 3 },
                py: 1,
                overflowWrap: 'anywhere',
              }}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Typography variant="body2" color="textSecondary">
                {record === row
                  ? format.number(row)
                  : t('import.recordAtLine', { record: format.number(record), line: format.number(row) })}
              </Typography>
              <Typography variant="body2">{email}</Typography>
              <Typography
                variant="body2"
                color={success ? 'success.main' : 'textSecondary'}
                sx={{ gridColumn: { xs: 2, sm: 3 } }}
              >
                {message}
              </Typography>
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}
