import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded';
import CircularProgress from '@mui/material/CircularProgress';
import { useTranslation } from 'react-i18next';
import type { FieldProps } from '../../../shared/hooks/use-form';
import { FormField } from '../../../shared/ui/form-field';
import type { UsernameCheck } from '../validation';

/** The username with the answer to whether it is free. */
export function UsernameField({ check, error, ...field }: FieldProps & { check: UsernameCheck }) {
  const { t } = useTranslation('auth');
  const taken = check.state === 'unavailable' ? check.message : undefined;
  const help = { idle: t('help.username'), checking: t('help.checking'), available: check.message, unavailable: '' };
  return (
    <FormField
      {...field}
      label={t('fields.username')}
      autoComplete="username"
      maxLength={60}
      error={error ?? taken}
      help={<span aria-live="polite">{help[check.state]}</span>}
      end={
        <>
          {check.state === 'checking' && <CircularProgress size={16} aria-hidden="true" />}
          {check.state === 'available' && <CheckCircleRounded color="success" />}
        </>
      }
    />
  );
}
