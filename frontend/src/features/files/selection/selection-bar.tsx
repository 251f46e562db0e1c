import CloseRounded from '@mui/icons-material/CloseRounded';
import DeleteRounded from '@mui/icons-material/DeleteRounded';
import DriveFileMoveRounded from '@mui/icons-material/DriveFileMoveRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { abilitiesOf, isReadOnly, type Entry } from '../entries';

interface Props {
  chosen: readonly Entry[];
  /** Asks where they are to go. */
  onMove: (chosen: readonly Entry[]) => void;
  onDelete: (chosen: readonly Entry[]) => void;
  onCancel: () => void;
}

/** Stands in the place of the toolbar while something is chosen: what can be done with all of it. */
export function SelectionBar({ chosen, onMove, onDelete, onCancel }: Props) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const format = useFormat();
  const count = chosen.length;
  const deletable = chosen.some((entry) => abilitiesOf(entry).delete || isReadOnly(entry));
  return (
    <Box
      role="toolbar"
      aria-label={t('selection.label')}
      sx={{
        position: 'sticky',
        top: 64,
        zIndex: 3,
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 2,
        minHeight: 36,
        mb: 4,
        // The same height as the toolbar that it covers, so that the list stays where it is.
        mx: -2,
        px: 2,
        borderRadius: 1,
        bgcolor: 'tint.accent',
      }}
    >
      <Typography variant="subtitle2" component="p" role="status" sx={{ flex: '1 1 120px', px: 2 }}>
        {t('selection.count', { count, formatted: format.number(count) })}
      </Typography>
      {chosen.some((entry) => abilitiesOf(entry).move) && (
        <Button variant="text" startIcon={<DriveFileMoveRounded />} onClick={() => onMove(chosen)}>
          {t('actions.move')}
        </Button>
      )}
      {deletable && (
        <Button variant="text" color="error" startIcon={<DeleteRounded />} onClick={() => onDelete(chosen)}>
          {t('actions.delete')}
        </Button>
      )}
      <Button variant="text" startIcon={<CloseRounded />} onClick={onCancel}>
        {common('actions.cancel')}
      </Button>
    </Box>
  );
}
