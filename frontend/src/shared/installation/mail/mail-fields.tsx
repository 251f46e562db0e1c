import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { useForm } from '../../forms/use-form';
import { ChoiceField } from '../../ui/fields/choice-field';
import { FormField } from '../../ui/fields/form-field';
import { PasswordField } from '../../ui/fields/password-field';
import { PORTS, type MailServer, type MailSetting, type MailValues } from './mail-values';

interface Props {
  form: Pick<ReturnType<typeof useForm<MailValues>>, 'field' | 'set' | 'values'>;
  /** What the server keeps. */
  password: MailSetting['password'];
}

export function MailFields({ form: { field, set, values }, password }: Props) {
  const { t } = useTranslation('installation');
  const choose = (security: MailServer['security']) => {
    // A port that somebody has chosen stays.
    if (Object.values(PORTS).includes(values.port)) set('port', PORTS[security]);
    set('security', security);
  };
  const { onChange: _, ...security } = field('security');
  return (
    <>
      <FormField {...field('host')} label={t('mail.host')} help={t('mail.hostHelp')} autoComplete="off" />
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { sm: '2fr 1fr' } }}>
        <ChoiceField<MailServer['security']>
          {...security}
          label={t('mail.security')}
          onChange={choose}
          options={[
            { value: 'starttls', label: t('mail.starttls') },
            { value: 'tls', label: t('mail.tls') },
          ]}
        />
        <FormField {...field('port')} label={t('mail.port')} inputMode="numeric" autoComplete="off" />
      </Box>
      <FormField {...field('user')} label={t('mail.user')} help={t('mail.userHelp')} autoComplete="off" optional />
      <PasswordField
        {...field('password')}
        label={t('mail.password')}
        help={t(password === 'set' ? 'mail.passwordKept' : 'mail.passwordHelp')}
        autoComplete="new-password"
        optional
      />
    </>
  );
}
