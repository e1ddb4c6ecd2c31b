# SPDX-FileCopyrightText: 2026 The Arenite authors
# SPDX-License-Identifier: MIT

# How time and size grow with the list, from the rows that quality_benchmark wrote into `folder`. Called by
# benchmarks/plot.

set terminal svg size 960,400 font 'sans-serif,13' background 'white'
set style line 1 linewidth 2 pointtype 7 pointsize 0.5 linecolor '#d55e00' # greedy
set style line 2 linewidth 2 pointtype 7 pointsize 0.5 linecolor '#56b4e9' # search, its start
set style line 3 linewidth 2 pointtype 7 pointsize 0.5 linecolor '#009e73' # search
set style line 4 linewidth 2 pointtype 7 pointsize 0.5 linecolor '#666666' # TFLM
set border 3
set tics nomirror
set grid linetype 1 linecolor '#dddddd'
set logscale x
set format x '10^{%L}'
set xlabel 'buffers'
set xrange [700:1.5e6]
set multiplot layout 1,2

names = 'greedy search_start search tflm'
titles = '"greedy" "search, its start" "search" "TFLM"'
# A command that prints buffers, % over the lower bound, seconds. There is one row at least, which lies outside of the
# picture, as gnuplot stops where there is none.
rows(list, strategy) = sprintf("< awk -F, '$1 == \"%s\" && $4 == \"%s\" && $6 { print $2, 100 * ($6 - 1), $10 } END { print \"\\n1 -1 1e-9\" }' %s/growth.csv", list, strategy, folder)

set title 'Seconds (dashed: thousands alive at a step)'
set logscale y
set format y '10^{%L}'
set yrange [3e-4:3e3]
set key top left Left reverse maxrows 2
plot for [i = 1:4] rows('short', word(names, i)) using 1:3 with linespoints linestyle i title word(titles, i), \
     for [i = 1:4] rows('long', word(names, i)) using 1:3 with linespoints linestyle i dashtype 2 notitle

# The other two are as greedy.
set title '% over the lower bound'
unset logscale y
set format y '%g'
set yrange [0:25]
plot for [i = 1:3:2] rows('short', word(names, i)) using 1:2 with linespoints linestyle i title word(titles, i), \
     for [i = 1:3:2] rows('long', word(names, i)) using 1:2 with linespoints linestyle i dashtype 2 notitle
unset multiplot
