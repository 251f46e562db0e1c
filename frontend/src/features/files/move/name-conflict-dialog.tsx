import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import type { NameConflict } from './use-move-entries';

const MAX_SHOWN_NAMES = 5;

interface Props {
  conflict: NameConflict | null;
  onRename: () => void;
  onClose: () => void;
}

/** Asks what to do with entries whose names are taken in the target folder. */
export function NameConflictDialog({ conflict, onRename, onClose }: Props) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const hiddenCount = (conflict?.names.length ?? 0) - MAX_SHOWN_NAMES;
  return (
    <ConfirmDialog
      open={conflict !== null}
      title={t('moving.clash', { count: conflict?.names.length ?? 0, place: conflict?.target.name ?? '' })}
      confirmLabel={t('moving.rename')}
      tone="plain"
      onConfirm={onRename}
      onClose={onClose}
    >
      <Box component="ul" sx={{ m: 0, mb: 3, pl: 5, color: 'text.primary', overflowWrap: 'anywhere' }}>
        {conflict?.names.slice(0, MAX_SHOWN_NAMES).map((name, index) => (
          <li key={index}>{name}</li>
        ))}
        {hiddenCount > 0 && <li>{t('duplicates.more', { formatted: format.number(hiddenCount) })}</li>}
      </Box>
      {t('moving.clashText')}
    </ConfirmDialog>
  );
}
