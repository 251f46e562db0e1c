import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../shared/ui/badge';
import { groups, type Command } from './commands';

interface Props {
  id: string;
  commands: readonly Command[];
  current: Command | undefined;
  /** The mouse points at a line. */
  onPoint: (at: number) => void;
  onRun: (command: Command) => void;
}

/** The lines of the palette in their groups. The field keeps the focus; the chosen line is named to screen readers. */
export function PaletteList({ id, commands, current, onPoint, onRun }: Props) {
  const { t } = useTranslation('palette');
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const line = box.current?.querySelector('[aria-selected=true]');
    line?.scrollIntoView?.({ block: 'nearest' });
  }, [current]);
  const shown = groups.filter((group) => commands.some((command) => command.group === group));
  return (
    <Box
      ref={box}
      id={`${id}-list`}
      role="listbox"
      aria-label={t('results')}
      sx={{ flex: 1, minHeight: 0, overflowY: 'auto', px: 2, pb: shown.length > 0 ? 2 : 0 }}
    >
      {shown.map((group) => (
        <Box key={group} role="group" aria-labelledby={`${id}-${group}`}>
          <Typography
            id={`${id}-${group}`}
            variant="caption"
            color="textSecondary"
            component="p"
            sx={{ px: 2, pt: 3, pb: 1 }}
          >
            {t(`groups.${group}`)}
          </Typography>
          {commands.map(
            (command, at) =>
              command.group === group && (
                <Line
                  key={command.id}
                  id={`${id}-${command.id}`}
                  command={command}
                  chosen={command === current}
                  onPoint={() => onPoint(at)}
                  onRun={() => onRun(command)}
                />
              ),
          )}
        </Box>
      ))}
    </Box>
  );
}

/** The words around a hit need more room than a path does. */
const twoLines = {
  ...{ display: '-webkit-box', WebkitLineClamp: 2, WebkitBoxOrient: 'vertical' },
  ...{ overflow: 'hidden', overflowWrap: 'anywhere' },
} as const;

interface LineProps {
  id: string;
  command: Command;
  chosen: boolean;
  onPoint: () => void;
  onRun: () => void;
}

function Line({ id, command, chosen, onPoint, onRun }: LineProps) {
  const { t } = useTranslation('palette');
  const { icon: Icon, name, detail, mirrored, group } = command;
  return (
    <Box
      id={id}
      role="option"
      aria-selected={chosen}
      onMouseMove={chosen ? undefined : onPoint}
      onClick={onRun}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 3,
        minHeight: 40,
        '@media (pointer: coarse)': { minHeight: 48 },
        px: 2,
        py: 1,
        borderRadius: 1,
        cursor: 'pointer',
        bgcolor: chosen ? 'tint.accent' : undefined,
      }}
    >
      <Icon aria-hidden sx={{ flex: 'none', color: chosen ? 'primary.main' : 'text.secondary' }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography noWrap title={name}>
          {name}
        </Typography>
        {detail && (
          <Typography
            variant="caption"
            color="textSecondary"
            component="p"
            title={detail}
            noWrap={group !== 'texts'}
            sx={group === 'texts' ? twoLines : undefined}
          >
            {detail}
          </Typography>
        )}
      </Box>
      {mirrored && (
        <Box component="span" role="img" aria-label={t('mirrored')} title={t('mirrored')}>
          <Badge>m</Badge>
        </Box>
      )}
    </Box>
  );
}
