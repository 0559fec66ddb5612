"use client";

import { useEffect } from "react";

const SCHEME = "data-mantine-color-scheme";

/** Prints a page in light colors, even if it is shown in dark ones. */
export function PrintInLight() {
  useEffect(() => {
    const root = document.documentElement;
    let before: string | null = null;
    const toLight = () => {
      before = root.getAttribute(SCHEME);
      root.setAttribute(SCHEME, "light");
    };
    const back = () => {
      if (before) root.setAttribute(SCHEME, before);
    };
    window.addEventListener("beforeprint", toLight);
    window.addEventListener("afterprint", back);
    return () => {
      window.removeEventListener("beforeprint", toLight);
      window.removeEventListener("afterprint", back);
    };
  }, []);
  return null;
}
