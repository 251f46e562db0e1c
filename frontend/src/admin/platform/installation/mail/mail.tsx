import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../../../shared/ui/section-card';
import { DnsRecords } from '../../../../shared/installation/mail/dns-records';
import { MailServerForm } from '../../../../shared/installation/mail/mail-server';
import type { MailSetting } from '../../../../shared/installation/mail/mail-values';

/** How mails leave the installation, and what mailboxes find out about their sender. */
export function Mail({ mail }: { mail: MailSetting }) {
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
