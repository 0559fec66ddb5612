import { ActionIcon, Text } from "@mantine/core";
import { IconDotsVertical } from "@tabler/icons-react";
import { useEffect, useRef } from "react";

import classes from "@/components/records/board/board.module.css";
import { type Card, isOverdue, type Stage, STAGES } from "@/components/records/board/board-queries";
import { useDraggable } from "@/components/records/board/use-drag";
import { textOf, titleOf } from "@/components/records/record";
import { ActionMenu } from "@/components/ui/overlay/action-menu";
import { formatDay, formatMoney, inWords } from "@/components/ui/text/format";
import { TextLink } from "@/components/ui/text/links";

interface DealCardProps {
  card: Card;
  /** The card was just moved here by its menu, which had the focus. */
  takesFocus: boolean;
  /** Its stage is being saved. */
  isMoving: boolean;
  onDrag: (card: Card | null) => void;
  onMove: (to: Stage) => void;
}

/** An opportunity on the board. It is dragged to another stage, or moved by its menu. */
export function DealCard({ card, takesFocus, isMoving, onDrag, onMove }: DealCardProps) {
  const title = titleOf("opportunities", card) || "(no name)";
  const amount = textOf(card, "amount");
  const ref = useDraggable<HTMLLIElement>(title, (isDragged) => onDrag(isDragged ? card : null));
  return (
    <li ref={ref} className={classes.card} draggable={!isMoving} data-moving={isMoving || undefined}>
      <div className={classes.cardHead}>
        {/* A link would be dragged itself, in place of its card. */}
        <TextLink href={`/opportunities/${card.id}`} size="sm" fw={600} draggable={false} className={classes.name}>
          <bdi>{title}</bdi>
        </TextLink>
        <MoveMenu title={title} stage={card.stage} takesFocus={takesFocus} isDisabled={isMoving} onMove={onMove} />
      </div>
      {card.account && (
        <Text size="xs" c="dimmed" truncate>
          <bdi>{card.account.name}</bdi>
        </Text>
      )}
      <div className={classes.cardFoot}>
        <Text size="sm">{amount && formatMoney(Number(amount), textOf(card, "currency") || null)}</Text>
        <CloseDate card={card} />
      </div>
    </li>
  );
}

function CloseDate({ card }: { card: Card }) {
  const day = textOf(card, "close_date");
  const late = isOverdue(card);
  return (
    <Text size="xs" c={late ? "rust" : "dimmed"}>
      {late && "Overdue: "}
      <time dateTime={day}>{day && formatDay(day)}</time>
    </Text>
  );
}

interface MoveMenuProps extends Pick<DealCardProps, "takesFocus" | "onMove"> {
  title: string;
  stage: Stage;
  isDisabled: boolean;
}

function MoveMenu({ title, stage, takesFocus, isDisabled, onMove }: MoveMenuProps) {
  const ref = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) ref.current?.focus();
  }, [takesFocus]);
  return (
    <ActionMenu
      sections={[
        {
          label: "Move to stage",
          actions: STAGES.map((to) => ({
            label: inWords(to),
            isDisabled: to === stage || isDisabled,
            onChoose: () => onMove(to),
          })),
        },
      ]}
    >
      <ActionIcon ref={ref} variant="subtle" color="gray" size="sm" aria-label={`Move ${title}`} title="Move to stage">
        <IconDotsVertical size={16} aria-hidden />
      </ActionIcon>
    </ActionMenu>
  );
}
