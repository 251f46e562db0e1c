import ComputerRounded from '@mui/icons-material/ComputerRounded';
import SmartphoneRounded from '@mui/icons-material/SmartphoneRounded';
import TerminalRounded from '@mui/icons-material/TerminalRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../../shared/hooks/use-format';
import { Badge } from '../../../../shared/ui/badge';
import type { Session } from '../../api/use-sessions';
import type { Device } from '../../parse-user-agent';
import { SettingRow } from '../setting-list';

interface Props {
  session: Session;
  device: Device;
  deviceName: string;
  now: number;
  isEnding: boolean;
  onEnd: () => void;
}

/** One of the user's sessions. */
export function SessionRow({ session, device, deviceName, now, isEnding, onEnd }: Props) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const { current, lastSeenAt, createdAt, ipAddress } = session;
  const lastSeenText = current
    ? t('sessions.active')
    : t('sessions.lastSeen', { when: format.relative(lastSeenAt, now) });
  const sinceText = t('sessions.since', { when: format.date(createdAt) });
  return (
    <SettingRow
      icon={<DeviceIcon {...device} />}
      title={
        <>
          {deviceName}
          {current && <Badge tone="success">{t('sessions.here')}</Badge>}
        </>
      }
      text={
        <>
          {`${lastSeenText} · ${sinceText}`}
          {ipAddress && (
            <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
              {` · ${formatIpAddress(ipAddress)}`}
            </Box>
          )}
        </>
      }
      action={
        !current && (
          <Button
            loading={isEnding}
            loadingPosition="start"
            aria-label={t('sessions.endOf', { device: deviceName })}
            onClick={onEnd}
          >
            {t('sessions.end')}
          </Button>
        )
      }
    />
  );
}

/** IPv4 addresses arrive as IPv4-mapped IPv6 addresses. */
const formatIpAddress = (ipAddress: string) => ipAddress.replace(/^::ffff:/, '');

function DeviceIcon({ isApiClient, isMobile }: Device) {
  if (isApiClient) return <TerminalRounded />;
  return isMobile ? <SmartphoneRounded /> : <ComputerRounded />;
}
