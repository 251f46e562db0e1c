import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { useForm } from '../../forms/use-form';
import { ChoiceField } from '../../ui/fields/choice-field';
import { FormField } from '../../ui/fields/form-field';
import { PasswordField } from '../../ui/fields/password-field';
import { DEFAULT_PORTS, type MailServer, type MailServerSetting, type MailServerValues } from './mail-server-values';

interface Props {
  form: Pick<ReturnType<typeof useForm<MailServerValues>>, 'field' | 'set' | 'values'>;
  /** Whether the server has a password stored. */
  password: MailServerSetting['password'];
}

export function MailServerFields({ form: { field, set, values }, password }: Props) {
  const { t } = useTranslation('installation');
  const changeSecurity = (security: MailServer['security']) => {
    // A custom port is kept.
    if (Object.values(DEFAULT_PORTS).includes(values.port)) set('port', DEFAULT_PORTS[security]);
    set('security', security);
  };
  const { onChange: _, ...securityField } = field('security');
  return (
    <>
      <FormField {...field('host')} label={t('mail.host')} help={t('mail.hostHelp')} autoComplete="off" />
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { sm: '2fr 1fr' } }}>
        <ChoiceField<MailServer['security']>
          {...securityField}
          label={t('mail.security')}
          onChange={changeSecurity}
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
