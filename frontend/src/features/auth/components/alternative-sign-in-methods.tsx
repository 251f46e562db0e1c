import Divider from '@mui/material/Divider';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Ways to sign in without a password, below a line; nothing where there is none. */
export function AlternativeSignInMethods({ children }: { children: ReactNode }) {
  const { t } = useTranslation('auth');
  return (
    <Stack spacing={3} useFlexGap sx={{ mt: 4, '&:not(:has(button))': { display: 'none' } }}>
      <Divider sx={{ color: 'text.secondary', typography: 'body2' }}>{t('sso.or')}</Divider>
      {children}
    </Stack>
  );
}
