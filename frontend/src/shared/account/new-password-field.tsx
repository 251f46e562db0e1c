import { useState, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldProps } from '../forms/use-form';
import type { PublicPasswordFieldProps } from '../public-ui/public-password-field';
import type { PasswordOwner } from './strength/password-evaluator';
import { StrengthMeter } from './strength/strength-meter';
import { usePasswordEvaluation } from './strength/use-password-evaluation';

interface Props extends FieldProps {
  /** `PasswordField` on signed-in pages, `PublicPasswordField` on public ones. */
  Field: ComponentType<PublicPasswordFieldProps>;
  label: string;
  /** What is known of the account's owner; personal words in a password don't make it stronger. */
  owner: PasswordOwner;
}

/** A new password with its strength meter. The server makes the final decision. */
export function NewPasswordField({ Field, owner, ...field }: Props) {
  const { t } = useTranslation('account');
  const [wasFocused, setWasFocused] = useState(false);
  const evaluation = usePasswordEvaluation(field.value, owner, wasFocused || field.value !== '');
  return (
    <Field
      {...field}
      help={<StrengthMeter evaluation={evaluation} help={t('strength.help')} />}
      autoComplete="new-password"
      onFocus={() => setWasFocused(true)}
    />
  );
}
