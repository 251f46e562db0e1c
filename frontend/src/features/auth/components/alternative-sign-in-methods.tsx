import Divider from '@mui/material/Divider';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Sign-in methods without a password, below a divider; empty if there are none. */
export function AlternativeSignInMethods({ children }: { children: ReactNode }) {
  const { t } = useTranslation('auth');
  return (
    <Stack spacing={3} useFlexGap sx={{ mt: 4, '&:not(:has(button))': { display: 'none' } }}>
      <Divider sx={{ color: 'text.secondary', typography: 'body2' }}>{t('sso.or')}</Divider>
      {children}
    </Stack>
  );
}
