import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldProps } from '../forms/use-form';
import { PasswordField } from '../ui/fields/password-field';
import type { PasswordOwner } from './strength/password-evaluator';
import { StrengthMeter } from './strength/strength-meter';
import { usePasswordEvaluation } from './strength/use-password-evaluation';

interface Props extends FieldProps {
  label: string;
  /** Whose password it is to be, as far as is known: words of their own make it no stronger. */
  owner: PasswordOwner;
}

/** A new password, with how strong it is. The server has the last word. */
export function NewPasswordField({ owner, ...field }: Props) {
  const { t } = useTranslation('account');
  const [wasFocused, setWasFocused] = useState(false);
  const evaluation = usePasswordEvaluation(field.value, owner, wasFocused || field.value !== '');
  return (
    <PasswordField
      {...field}
      help={<StrengthMeter evaluation={evaluation} help={t('strength.help')} />}
      autoComplete="new-password"
      onFocus={() => setWasFocused(true)}
    />
  );
}
