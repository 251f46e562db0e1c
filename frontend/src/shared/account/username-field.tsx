import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded';
import CircularProgress from '@mui/material/CircularProgress';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldProps } from '../forms/use-form';
import { FormField } from '../ui/fields/form-field';
import type { UsernameCheck } from './use-username-check';

interface Props extends FieldProps {
  usernameCheck: UsernameCheck;
  /** Help text while no check runs; defaults to the allowed characters. */
  help?: ReactNode;
}

/** The username field, with whether the name is free. */
export function UsernameField({ usernameCheck, error, help, ...field }: Props) {
  const { t } = useTranslation('account');
  const unavailableMessage = usernameCheck.state === 'unavailable' ? usernameCheck.message : undefined;
  const helpByState = {
    idle: help ?? t('username.help'),
    checking: t('username.checking'),
    available: usernameCheck.message,
    unavailable: '',
  };
  return (
    <FormField
      {...field}
      label={t('username.label')}
      autoComplete="username"
      maxLength={60}
      error={error ?? unavailableMessage}
      help={<span aria-live="polite">{helpByState[usernameCheck.state]}</span>}
      endAdornment={
        <>
          {usernameCheck.state === 'checking' && <CircularProgress size={16} aria-hidden="true" />}
          {usernameCheck.state === 'available' && <CheckCircleRounded color="success" />}
        </>
      }
    />
  );
}
