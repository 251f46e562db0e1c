import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';

/** Keeps the place and the focus of an item that isn't loaded. */
export function PlaceholderItem({ itemProps }: { itemProps: object }) {
  const { t } = useTranslation();
  return (
    <Box
      component="button"
      type="button"
      aria-disabled
      aria-label={t('loading')}
      {...itemProps}
      sx={{
        position: 'absolute',
        inset: 0,
        border: 0,
        bgcolor: 'transparent',
        '&:focus-visible': { outline: 2, outlineStyle: 'solid', outlineColor: 'primary.main', outlineOffset: -2 },
      }}
    />
  );
}
