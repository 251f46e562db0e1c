import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../../../shared/ui/section-card';
import { DnsRecords } from '../../../../shared/installation/mail-server/dns-records';
import { MailServerForm } from '../../../../shared/installation/mail-server/mail-server-form';
import type { MailServerSetting } from '../../../../shared/installation/mail-server/mail-server-values';

/** The mail server, and the DNS records that let mail providers verify the sender. */
export function EmailSettings({ mail }: { mail: MailServerSetting }) {
  const { t } = useTranslation('installation');
  return (
    <Box sx={{ display: 'grid', gap: 4, maxWidth: 720 }}>
      <SectionCard title={t('mail.title')} text={t('mail.text')}>
        <MailServerForm mail={mail} />
      </SectionCard>
      <SectionCard title={t('dns.title')} text={t('dns.text')}>
        <DnsRecords />
      </SectionCard>
    </Box>
  );
}
