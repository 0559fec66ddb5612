import { Skeleton, Text, Title } from "@mantine/core";
import { useRef } from "react";

import classes from "@/components/records/board/board.module.css";
import { type Card, type Stage, type StageSums, useColumn } from "@/components/records/board/board-queries";
import { DealCard } from "@/components/records/board/deal-card";
import { useDropTarget } from "@/components/records/board/use-drag";
import type { Move } from "@/components/records/board/use-move";
import { useScrollMemory } from "@/components/records/use-scroll-memory";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { LoadMore } from "@/components/ui/layout/load-more";
import { formatMoney, formatNumber, inWords } from "@/components/ui/text/format";

interface StageColumnProps {
  stage: Stage;
  /** Null for a stage without opportunities, undefined until they are loaded. */
  sums: StageSums | null | undefined;
  /** The card that is dragged. */
  dragged: Card | null;
  /** The id of the card that the menu has just moved. */
  movedByMenu: string | null;
  /** The ids of the cards whose stage is being saved. */
  moving: readonly string[];
  onDrag: (card: Card | null) => void;
  onMove: (move: Move, by: "menu" | "drag") => void;
}

/** A stage of the pipeline: its sums, and its cards page by page. Cards of other stages can be dropped on it. */
export function StageColumn({ stage, sums, dragged, onMove, ...cards }: StageColumnProps) {
  const isTarget = dragged !== null && dragged.stage !== stage;
  const { ref, isOver } = useDropTarget<HTMLElement>(isTarget, () => {
    if (dragged) onMove({ card: dragged, to: stage }, "drag");
  });
  return (
    <section ref={ref} className={classes.column} aria-label={inWords(stage)} data-over={isOver || undefined}>
      <Head stage={stage} sums={sums} />
      <Cards stage={stage} {...cards} onMove={onMove} />
    </section>
  );
}

function Head({ stage, sums }: Pick<StageColumnProps, "stage" | "sums">) {
  const amounts = sums?.amounts.map(({ currency, amount }) => formatMoney(amount, currency)) ?? [];
  return (
    <header className={classes.head}>
      <Title order={2} size="h4">
        {inWords(stage)}{" "}
        <Text component="span" size="sm" c="dimmed" fw={400}>
          {sums !== undefined && formatNumber(sums?.opportunities ?? 0)}
        </Text>
      </Title>
      <Text size="xs" c="dimmed" className={classes.sums}>
        {sums !== undefined && (amounts.join(" · ") || "No amounts")}
      </Text>
    </header>
  );
}

function Cards({ stage, movedByMenu, moving, onDrag, onMove }: Omit<StageColumnProps, "sums" | "dragged">) {
  const query = useColumn(stage);
  const cards = query.data ?? [];
  const scroller = useRef<HTMLDivElement>(null);
  useScrollMemory(scroller, "opportunities", query.isSuccess ? `board: ${stage}` : null);
  return (
    <div ref={scroller} className={classes.cards}>
      {query.isPending && <Skeleton height={84} aria-hidden />}
      {query.isError && !query.isFetchNextPageError && (
        <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isSuccess && cards.length === 0 && (
        <Text size="sm" c="dimmed">
          None in this stage.
        </Text>
      )}
      <ol className={classes.list}>
        {cards.map((card) => (
          <DealCard
            key={card.id}
            card={card}
            takesFocus={movedByMenu === card.id}
            isMoving={moving.includes(card.id)}
            onDrag={onDrag}
            onMove={(to) => onMove({ card, to }, "menu")}
          />
        ))}
      </ol>
      <LoadMore query={query} end={null} />
    </div>
  );
}
