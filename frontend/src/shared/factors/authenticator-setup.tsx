import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { QRCodeSVG } from 'qrcode.react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../api/api-error';
import { useErrorText } from '../hooks/use-error-text';
import { useForm } from '../forms/use-form';
import { CopyButton } from '../ui/copy-button';
import { FormField } from '../ui/fields/form-field';
import { SubmitButton } from '../ui/submit-button';
import { CodeField } from './code-field';
import { useAuthenticatorMutations, type NewAuthenticator } from './use-factors';

const QR_CODE_SIZE = 184;
/** Quiet zone around the QR code, in modules; cameras don't find the code without it. */
const QR_CODE_MARGIN = 3;

interface Props {
  titleId: string;
  authenticator: NewAuthenticator;
  onVerified: (recoveryCodes: string[]) => void;
  onCancel: () => void;
}

/** The QR code, the secret for users who can't scan, and the first code, which proves that the app was set up. */
export function AuthenticatorSetup({ titleId, authenticator, onVerified, onCancel }: Props) {
  const { t } = useTranslation('verification');
  const { t: tCommon } = useTranslation();
  const errorText = useErrorText();
  const { verify } = useAuthenticatorMutations();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    initial: { code: '' },
    ignoreRepeatedSubmit: true,
    validate: ({ code }) => (/^\d{6}$/.test(code) ? {} : { code: t('code.digits') }),
    submit: async ({ code }) => {
      setFailure(null);
      onVerified(await verify.mutateAsync(code));
    },
    onFailure: (error) => {
      if (hasCode(error, 'CODE_INVALID')) form.showErrors({ code: error.message });
      else setFailure(errorText(error));
    },
  });
  return (
    <form {...form.formProps}>
      <DialogTitle id={titleId}>{t('app.setUpTitle')}</DialogTitle>
      <DialogContent>
        <Stack spacing={5}>
          <Typography color="textSecondary">{t('app.setUpText')}</Typography>
          {/* Black on white in every theme, because cameras need it. */}
          <Box sx={{ display: 'grid', justifyItems: 'center' }}>
            <QRCodeSVG
              value={authenticator.uri}
              size={QR_CODE_SIZE}
              marginSize={QR_CODE_MARGIN}
              level="M"
              role="img"
              aria-label={t('app.qr')}
            />
          </Box>
          <SecretKey secret={authenticator.secret} />
          {failure && <Alert severity="error">{failure}</Alert>}
          <CodeField Field={FormField} form={form} help={t('app.codeHelp')} />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel}>{tCommon('actions.cancel')}</Button>
        <SubmitButton isSubmitting={form.isSubmitting}>{t('app.turnOn')}</SubmitButton>
      </DialogActions>
    </form>
  );
}

/** Never truncated, because users type it by hand. */
function SecretKey({ secret }: { secret: string }) {
  const { t } = useTranslation('verification');
  const labelId = useId();
  return (
    <Box>
      <Typography id={labelId} variant="subtitle2" sx={{ mb: 1 }}>
        {t('app.secret')}
      </Typography>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
        <Box
          role="group"
          aria-labelledby={labelId}
          dir="ltr"
          sx={{
            flex: 1,
            p: 3,
            borderRadius: 1,
            bgcolor: 'tint.neutral',
            typography: 'body2',
            fontFamily: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
          }}
        >
          {formatSecret(secret)}
        </Box>
        <CopyButton value={secret} />
      </Box>
    </Box>
  );
}

/** Groups of four characters, which are easier to type. */
const formatSecret = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ');
