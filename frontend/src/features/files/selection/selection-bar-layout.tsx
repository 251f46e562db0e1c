import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';

/** Layout of the bar that replaces a toolbar during a selection: the number of selected entries and the actions. */
export function SelectionBarLayout({ count, note, children }: { count: number; note?: string; children: ReactNode }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  return (
    <Box
      role="toolbar"
      aria-label={t('selection.label')}
      sx={{
        position: 'sticky',
        top: 64,
        zIndex: 3,
        display: 'flex',
        flexWrap: { sm: 'wrap' },
        alignItems: 'center',
        gap: { xs: 0, sm: 2 },
        minHeight: 36,
        mb: 4,
        // Has the height of the toolbar it covers, so that the list doesn't move.
        mx: { sm: -2 },
        px: { sm: 2 },
        borderRadius: 1,
        bgcolor: 'tint.accent',
      }}
    >
      <Typography variant="subtitle2" component="p" role="status" sx={{ flex: '1 1 120px', minWidth: 0, px: 2 }}>
        {note ?? t('selection.count', { count, formatted: format.number(count) })}
      </Typography>
      {children}
    </Box>
  );
}
