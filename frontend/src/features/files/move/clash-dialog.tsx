import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import type { NameClash } from './use-moving';

const shownNames = 5;

interface Props {
  clash: NameClash | null;
  onRename: () => void;
  onClose: () => void;
}

/** Asks what to do with things whose names are taken where they are to be moved. */
export function ClashDialog({ clash, onRename, onClose }: Props) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const more = (clash?.names.length ?? 0) - shownNames;
  return (
    <ConfirmDialog
      open={clash !== null}
      title={t('moving.clash', { count: clash?.names.length ?? 0, place: clash?.place.name ?? '' })}
      confirmLabel={t('moving.rename')}
      tone="plain"
      onConfirm={onRename}
      onClose={onClose}
    >
      <Box component="ul" sx={{ m: 0, mb: 3, pl: 5, color: 'text.primary', overflowWrap: 'anywhere' }}>
        {clash?.names.slice(0, shownNames).map((name, index) => (
          <li key={index}>{name}</li>
        ))}
        {more > 0 && <li>{t('duplicates.more', { formatted: format.number(more) })}</li>}
      </Box>
      {t('moving.clashText')}
    </ConfirmDialog>
  );
}
