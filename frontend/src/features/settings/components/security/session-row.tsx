import ComputerRounded from '@mui/icons-material/ComputerRounded';
import SmartphoneRounded from '@mui/icons-material/SmartphoneRounded';
import TerminalRounded from '@mui/icons-material/TerminalRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../../shared/hooks/use-format';
import { Badge } from '../../../../shared/ui/badge';
import type { Session } from '../../api/use-sessions';
import type { Device } from '../../device';
import { Row } from '../rows';

interface Props {
  session: Session;
  device: Device;
  name: string;
  now: number;
  ending: boolean;
  onEnd: () => void;
}

/** One place in which the person is signed in. */
export function SessionRow({ session, device, name, now, ending, onEnd }: Props) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const { current, lastSeenAt, createdAt, ipAddress } = session;
  const seen = current ? t('sessions.active') : t('sessions.lastSeen', { when: format.relative(lastSeenAt, now) });
  const since = t('sessions.since', { when: format.date(createdAt) });
  return (
    <Row
      icon={<DeviceIcon {...device} />}
      title={
        <>
          {name}
          {current && <Badge tone="success">{t('sessions.here')}</Badge>}
        </>
      }
      text={
        <>
          {`${seen} · ${since}`}
          {ipAddress && (
            <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
              {` · ${readable(ipAddress)}`}
            </Box>
          )}
        </>
      }
      action={
        !current && (
          <Button
            loading={ending}
            loadingPosition="start"
            aria-label={t('sessions.endOf', { device: name })}
            onClick={onEnd}
          >
            {t('sessions.end')}
          </Button>
        )
      }
    />
  );
}

/** Addresses of the older kind come in the clothes of the newer one. */
const readable = (ipAddress: string) => ipAddress.replace(/^::ffff:/, '');

function DeviceIcon({ program, mobile }: Device) {
  if (program) return <TerminalRounded />;
  return mobile ? <SmartphoneRounded /> : <ComputerRounded />;
}
