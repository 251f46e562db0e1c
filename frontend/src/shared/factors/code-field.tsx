import type { ChangeEvent, ComponentType } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { FieldProps } from '../forms/use-form';
import type { PublicFieldProps } from '../public-ui/public-field';

const CODE_LENGTH = 6;

interface Props {
  /** `FormField` on signed-in pages, `PublicField` on public ones. */
  Field: ComponentType<PublicFieldProps>;
  form: { field: (name: 'code') => FieldProps; set: (name: 'code', value: string) => void };
  help?: string;
  /** Submits the form with the last digit, whether typed, pasted or filled in by the phone. */
  submitWhenComplete?: boolean;
}

/** Six digits, accepted in any pasted format. */
export function CodeField({ Field, form, help, submitWhenComplete = false }: Props) {
  const { t } = useTranslation('verification');
  const handleChange = ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    const code = target.value.replace(/\s/g, '').slice(0, CODE_LENGTH);
    // The form must have the last digit before it is submitted.
    flushSync(() => form.set('code', code));
    if (submitWhenComplete && code.length === CODE_LENGTH) target.form?.requestSubmit();
  };
  return (
    <Field
      {...form.field('code')}
      label={t('code.label')}
      help={help}
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus
      onChange={handleChange}
    />
  );
}
