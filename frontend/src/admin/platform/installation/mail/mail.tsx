import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { SectionCard } from '../../../../shared/ui/section-card';
import { DnsRecords } from './dns-records';
import { MailServerForm } from './mail-server';
import type { MailSetting } from './mail-values';

/** How mails leave the installation, and what mailboxes find out about their sender. */
export function Mail({ mail }: { mail: MailSetting }) {
  const { t } = useTranslation('admin');
  return (
    <Box sx={{ display: 'grid', gap: 4, maxWidth: 720 }}>
      <SectionCard title={t('installation.mail.title')} text={t('installation.mail.text')}>
        <MailServerForm mail={mail} />
      </SectionCard>
      <SectionCard title={t('installation.dns.title')} text={t('installation.dns.text')}>
        <DnsRecords />
      </SectionCard>
    </Box>
  );
}
