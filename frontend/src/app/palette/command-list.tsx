import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../shared/ui/badge';
import { groups, type Command } from './commands';

interface Props {
  id: string;
  commands: readonly Command[];
  activeCommand: Command | undefined;
  /** Called when the pointer moves over a line. */
  onHighlight: (index: number) => void;
  onRun: (command: Command) => void;
}

/**
 * The palette's results in groups. The field keeps the focus; the active line is announced through
 * `aria-activedescendant`.
 */
export function CommandList({ id, commands, activeCommand, onHighlight, onRun }: Props) {
  const { t } = useTranslation('palette');
  const listRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const activeOption = listRef.current?.querySelector('[aria-selected=true]');
    activeOption?.scrollIntoView?.({ block: 'nearest' });
  }, [activeCommand]);
  const visibleGroups = groups.filter((group) => commands.some((command) => command.group === group));
  return (
    <Box
      ref={listRef}
      id={`${id}-list`}
      role="listbox"
      aria-label={t('results')}
      sx={{ flex: 1, minHeight: 0, overflowY: 'auto', px: 2, pb: visibleGroups.length > 0 ? 2 : 0 }}
    >
      {visibleGroups.map((group) => (
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
            (command, index) =>
              command.group === group && (
                <CommandOption
                  key={command.id}
                  id={`${id}-${command.id}`}
                  command={command}
                  isActive={command === activeCommand}
                  onHighlight={() => onHighlight(index)}
                  onRun={() => onRun(command)}
                />
              ),
          )}
        </Box>
      ))}
    </Box>
  );
}

/** The text around a match needs more space than a path. */
const twoLineStyles = {
  display: '-webkit-box',
  WebkitLineClamp: 2,
  WebkitBoxOrient: 'vertical',
  overflow: 'hidden',
  overflowWrap: 'anywhere',
} as const;

interface CommandOptionProps {
  id: string;
  command: Command;
  isActive: boolean;
  onHighlight: () => void;
  onRun: () => void;
}

function CommandOption({ id, command, isActive, onHighlight, onRun }: CommandOptionProps) {
  const { t } = useTranslation('palette');
  const { icon: Icon, name, detail, isMirrored, group } = command;
  return (
    <Box
      id={id}
      role="option"
      aria-selected={isActive}
      onMouseMove={isActive ? undefined : onHighlight}
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
        bgcolor: isActive ? 'tint.accent' : undefined,
      }}
    >
      <Icon aria-hidden sx={{ flex: 'none', color: isActive ? 'primary.main' : 'text.secondary' }} />
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
            sx={group === 'texts' ? twoLineStyles : undefined}
          >
            {detail}
          </Typography>
        )}
      </Box>
      {isMirrored && (
        <Box component="span" role="img" aria-label={t('mirrored')} title={t('mirrored')}>
          <Badge>m</Badge>
        </Box>
      )}
    </Box>
  );
}
