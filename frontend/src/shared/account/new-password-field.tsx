import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldProps } from '../forms/use-form';
import { PasswordField } from '../ui/fields/password-field';
import type { PasswordOwner } from './strength/judging';
import { StrengthMeter } from './strength/strength-meter';
import { useJudgement } from './strength/use-judgement';

interface Props extends FieldProps {
  label: string;
  /** Whose password it is to be, as far as is known: words of their own make it no stronger. */
  owner: PasswordOwner;
}

/** A new password, with how strong it is. The server has the last word. */
export function NewPasswordField({ owner, ...field }: Props) {
  const { t } = useTranslation('account');
  const [touched, setTouched] = useState(false);
  const judgement = useJudgement(field.value, owner, touched || field.value !== '');
  return (
    <PasswordField
      {...field}
      help={<StrengthMeter judgement={judgement} help={t('strength.help')} />}
      autoComplete="new-password"
      onFocus={() => setTouched(true)}
    />
  );
}
