import { useDndContext } from '@dnd-kit/core';
import FileCopyRounded from '@mui/icons-material/FileCopyRounded';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { EntryIcon } from '../components/entry-icon';
import { entryName, type Entry } from '../entries';
import type { DropData } from './drag-and-drop';

/** Shown at the pointer during a drag: the dragged entries and where they would go. */
export function DragPreview({ entries }: { entries: readonly Entry[] }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const { over } = useDndContext();
  const target = (over?.data.current as DropData | undefined)?.target;
  const [first] = entries;
  if (!first) return null;
  const count = entries.length;
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        width: 'max-content',
        maxWidth: 320,
        px: 3,
        py: 2,
        border: 1,
        borderColor: target ? 'primary.main' : 'divider',
        borderRadius: 1,
        bgcolor: 'background.paper',
        boxShadow: (theme) => theme.vars?.palette.float,
        cursor: 'grabbing',
      }}
    >
      {count === 1 ? <EntryIcon entry={first} /> : <FileCopyRounded sx={{ color: 'text.secondary' }} />}
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="subtitle2" noWrap>
          {count === 1 ? entryName(first) : t('items', { count, formatted: format.number(count) })}
        </Typography>
        {target && (
          <Typography variant="caption" color="primary" component="p" noWrap>
            {t('moving.toPlace', { place: target.name })}
          </Typography>
        )}
      </Box>
    </Box>
  );
}
