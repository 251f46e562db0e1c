import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { useForm } from '../../../../shared/forms/use-form';
import { ChoiceField } from '../../../../shared/ui/fields/choice-field';
import { FormField } from '../../../../shared/ui/fields/form-field';
import { PasswordField } from '../../../../shared/ui/fields/password-field';
import { PORTS, type MailServer, type MailSetting, type MailValues } from './mail-values';

interface Props {
  form: Pick<ReturnType<typeof useForm<MailValues>>, 'field' | 'set' | 'values'>;
  /** What the server keeps. */
  password: MailSetting['password'];
}

export function MailFields({ form: { field, set, values }, password }: Props) {
  const { t } = useTranslation('admin');
  const choose = (security: MailServer['security']) => {
    // A port that somebody has chosen stays.
    if (Object.values(PORTS).includes(values.port)) set('port', PORTS[security]);
    set('security', security);
  };
  const { onChange: _, ...security } = field('security');
  return (
    <>
      <FormField
        {...field('host')}
        label={t('installation.mail.host')}
        help={t('installation.mail.hostHelp')}
        autoComplete="off"
      />
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { sm: '2fr 1fr' } }}>
        <ChoiceField<MailServer['security']>
          {...security}
          label={t('installation.mail.security')}
          onChange={choose}
          options={[
            { value: 'starttls', label: t('installation.mail.starttls') },
            { value: 'tls', label: t('installation.mail.tls') },
          ]}
        />
        <FormField {...field('port')} label={t('installation.mail.port')} inputMode="numeric" autoComplete="off" />
      </Box>
      <FormField
        {...field('user')}
        label={t('installation.mail.user')}
        help={t('installation.mail.userHelp')}
        autoComplete="off"
        optional
      />
      <PasswordField
        {...field('password')}
        label={t('installation.mail.password')}
        help={t(password === 'set' ? 'installation.mail.passwordKept' : 'installation.mail.passwordHelp')}
        autoComplete="new-password"
        optional
      />
    </>
  );
}
