import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldProps } from '../forms/use-form';
import { SuccessIcon } from '../public-ui/icons';
import type { PublicFieldProps } from '../public-ui/public-field';
import type { UsernameCheck } from './use-username-check';
import '../public-ui/public-ui.css';

interface Props extends FieldProps {
  /** `FormField` on signed-in pages, `PublicField` on public ones. */
  Field: ComponentType<PublicFieldProps>;
  usernameCheck: UsernameCheck;
  /** Help text while no check runs; defaults to the allowed characters. */
  help?: ReactNode;
}

/** The username field, with whether the name is free. */
export function UsernameField({ Field, usernameCheck, error, help, ...field }: Props) {
  const { t } = useTranslation('account');
  const unavailableMessage = usernameCheck.state === 'unavailable' ? usernameCheck.message : undefined;
  const helpByState = {
    idle: help ?? t('username.help'),
    checking: t('username.checking'),
    available: usernameCheck.message,
    unavailable: '',
  };
  return (
    <Field
      {...field}
      label={t('username.label')}
      autoComplete="username"
      maxLength={60}
      error={error ?? unavailableMessage}
      help={<span aria-live="polite">{helpByState[usernameCheck.state]}</span>}
      endAdornment={
        <>
          {usernameCheck.state === 'checking' && <span className="z-spinner" aria-hidden="true" />}
          {usernameCheck.state === 'available' && (
            <span className="z-input-success">
              <SuccessIcon />
            </span>
          )}
        </>
      }
    />
  );
}
